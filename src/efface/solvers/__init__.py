"""The mathematics behind the guarantees. Solvers know no documents."""
