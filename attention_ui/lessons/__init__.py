"""The lessons: Markdown of content/<language>/lessons, the values that fill it, the figures' numbers."""
