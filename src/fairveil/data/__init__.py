"""The input: tables, reading and writing files and frames, schemas, hierarchies, pseudonyms."""
