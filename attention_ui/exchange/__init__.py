"""What the playground holds, on its way out and back: files, a link, programs; see the modules' own words."""
