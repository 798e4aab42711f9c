"""The documentation: pages in Markdown, and `making`, which makes the site of them."""
