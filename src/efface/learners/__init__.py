"""Classifiers of words, for those who publish and for those who attack: both sides know the same family.

tokens → Sentences (word ids) → Space (features, extracted once) → a learner → a Classifier
"""
