"""Learning, as utility, DMPD and tuning share it: encodings, folds, classifiers, scores, information gain."""
