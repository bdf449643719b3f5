"""Text Inference Blocking again: its tables and figures from data, by one command.

python -m experiments.inference_blocking [--documents N] [--out FOLDER]
"""
