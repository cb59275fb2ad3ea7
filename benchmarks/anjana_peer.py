"""Anonymizes Adult with ANJANA, k=5 and 5% suppressed at most; run by groups/peer.py in ANJANA's environment.

python anjana_peer.py FOLDER ROUNDS QUASI-IDENTIFIER...
"""

import json
import statistics
import sys
import time
from pathlib import Path

import pandas as pd
from anjana.anonymity import k_anonymity
from anjana.anonymity.utils.utils import get_transformation

folder, rounds, names = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
table = pd.read_csv(folder / "adult.csv", sep=";", dtype=str)
hierarchies = {}
for name in names:
    levels = pd.read_csv(folder / f"adult_hierarchy_{name}.csv", sep=";", header=None, dtype=str)
    hierarchies[name] = {level: levels[level].values for level in levels.columns}

times = []
for _ in range(rounds):
    begun = time.perf_counter()
    released = k_anonymity(table, [], names, 5, 5, hierarchies)
    times.append(time.perf_counter() - begun)
vector = [int(level) for level in get_transformation(released, names, hierarchies)]
print(json.dumps({"seconds": statistics.median(times), "vector": vector, "height": sum(vector)}))
