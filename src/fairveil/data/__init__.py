"""What we are given: tables, how files and frames are read and written, schemas, hierarchies, pseudonyms."""
