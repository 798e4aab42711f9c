"""Comparing interventions: the same folds, classifiers and scores for every way to make a classifier fair.

encoding        tables as the matrices that classifiers learn from
interventions   nothing, MDAV, Fair-MDAV, reweighing, preferential sampling, and Fairlearn's two
trials          five-fold trials with accuracy and fairness, and their means with 95 % intervals
"""
