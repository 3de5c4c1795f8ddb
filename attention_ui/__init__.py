"""Everything between the core and the page: state, tables, charts, words, views."""
