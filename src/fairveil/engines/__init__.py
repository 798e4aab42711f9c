"""Where the data is: sources that count, hand out rows and publish, behind one protocol."""
