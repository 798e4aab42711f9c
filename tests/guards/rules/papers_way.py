"""Definition 4 by brute force, and Algorithms 1 to 3 of Hajian et al. as they are printed. Slow and plain.

A table is a list of (leaf codes…, denied) tuples; `ways[a][level][leaf]` is the code of a leaf at a level. Nothing
here uses the package, and measures are exact fractions.

The printed Algorithm 1 puts a node's generalizations into the queue only when the node fails (line 32). With
MR = case 2 that leaves them in S_i unchecked, although line 20 marks them to be checked for α-protection and the
text says that only the generalization property (case 3) spares a check. So here they are queued after every visit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import inf

Row = tuple[int, ...]


class Problem:
    """A table with its hierarchies and what is asked of it."""

    def __init__(self, rows, denied, ways, protected, k, alpha, measure, least, most):
        self.rows: Sequence[Row] = rows
        self.denied: Sequence[bool] = denied
        self.ways = ways
        self.tops = [len(levels) - 1 for levels in ways]
        self.protected: set[int] = protected
        self.k, self.alpha, self.measure, self.least, self.most = k, Fraction(str(alpha)), measure, least, most

    def items(self, row: Row, node: dict[int, int]) -> tuple[tuple[int, int], ...]:
        return tuple((a, self.ways[a][level][row[a]]) for a, level in sorted(node.items()))


def value(measure, a1, n1, a2, n2, a, n, favoured):
    """f(A,B → C), or None where there is nobody to compare with."""
    if measure == "elift":
        return Fraction(a1, n1) / Fraction(a, n)
    if measure == "clift":
        a2, n2 = favoured
    if n2 == 0:
        return None
    p1, p2 = Fraction(a1, n1), Fraction(a2, n2)
    if measure == "olift":
        above, below = p1 * (1 - p2), p2 * (1 - p1)
        return above / below if below else (inf if above else Fraction(1))
    return p1 / p2 if p2 else inf


def groups(problem: Problem, node: dict[int, int]) -> list[tuple[bool, bool]]:
    """(frequent, discriminatory) of every PD rule over exactly the attributes of a node (Algorithm 2)."""
    seen: Counter = Counter()
    refused: Counter = Counter()
    for row, denied in zip(problem.rows, problem.denied, strict=True):
        items = problem.items(row, node)
        seen[items] += 1
        refused[items] += denied
    pd = {a for a in node if a in problem.protected and node[a] < problem.tops[a]}
    found = []
    for items, n1 in seen.items():
        if not pd or not refused[items]:
            continue
        context = [item for item in items if item[0] not in pd]
        same = [other for other in seen if all(item in other for item in context)]
        n, a = sum(seen[o] for o in same), sum(refused[o] for o in same)
        best = min(same, key=lambda o: Fraction(refused[o], seen[o]))
        a1 = refused[items]
        f = value(problem.measure, a1, n1, a - a1, n - n1, a, n, (refused[best], seen[best]))
        found.append((a1 >= problem.least, f is not None and f >= problem.alpha))
    return found


def anonymous(problem: Problem, node: dict[int, int]) -> bool:
    return min(Counter(problem.items(row, node) for row in problem.rows).values()) >= problem.k


def brute_force(problem: Problem, generalized: int | None = None) -> set[Row]:
    """Every k-anonymous node whose table keeps Definition 4, over every set of at most τ attributes.

    Attributes from `generalized` on are never generalized and no part of the quasi-identifier.
    """
    width = len(problem.tops) if generalized is None else generalized
    nodes = product(*(range(problem.tops[a] + 1) for a in range(width)))
    return {node for node in nodes if anonymous(problem, dict(enumerate(node))) and protective(problem, node)}


def protective(problem: Problem, node: Row) -> bool:
    """Definition 4 for the table that one node publishes; attributes that the node does not name are as they are."""
    levels = {**dict.fromkeys(range(len(problem.tops)), 0), **dict(enumerate(node))}
    present = [a for a, level in levels.items() if level < problem.tops[a]]
    sets = [s for size in range(1, problem.most + 1) for s in combinations(present, size)]
    rules = [rule for s in sets for rule in groups(problem, {a: levels[a] for a in s})]
    return not any(frequent and discriminatory for frequent, discriminatory in rules)


def measure_disc(problem: Problem, rules: list[tuple[bool, bool]]) -> int:
    """Algorithm 3. Its line 13 never applies: the most favoured group is sought among all, frequent or not."""
    if any(frequent and discriminatory for frequent, discriminatory in rules):
        return 1
    if problem.measure in ("slift", "olift"):
        return 2
    return 2 if any(discriminatory for _, discriminatory in rules) else 3


def alpha_protective_incognito(problem: Problem) -> set[Row]:
    """Algorithm 1: rounds over ever larger sets of attributes, each a breadth-first search from below."""
    width = len(problem.tops)
    candidates = {((a, level),) for a in range(width) for level in range(problem.tops[a] + 1)}
    for i in range(1, width + 1):
        solutions = set(candidates)
        above = {node: [up for up in direct_generalizations(node, problem.tops) if up in candidates]
                 for node in candidates}  # fmt: skip
        queue = sorted(candidates - {up for ups in above.values() for up in ups})
        known_anonymous: set = set()
        known_protective: set = set()
        visited: set = set()
        while queue:
            queue.sort(key=lambda node: sum(level for _, level in node))
            node = queue.pop(0)
            if node in visited or node in known_protective:
                continue
            visited.add(node)
            levels = dict(node)
            if node in known_anonymous or anonymous(problem, levels):
                known_anonymous.update(above[node])
                pd = {a for a, level in node if a in problem.protected and level < problem.tops[a]}
                if pd and i <= problem.most:
                    case = measure_disc(problem, groups(problem, levels))
                    if case == 3:
                        known_protective.update(up for up in above[node] if any(dict(up)[a] > levels[a] for a in pd))
                    elif case == 1:
                        solutions.discard(node)
            else:
                solutions.discard(node)
            queue += above[node]
        candidates = graph_generation(solutions)
    return {tuple(level for _, level in sorted(node)) for node in solutions}


def direct_generalizations(node, tops):
    for place, (a, level) in enumerate(node):
        if level < tops[a]:
            yield (*node[:place], (a, level + 1), *node[place + 1 :])


def graph_generation(solutions):
    """Sets of one more attribute, all of whose subsets are solutions (join and prune)."""
    joined = {
        (*one, other[-1]) for one in solutions for other in solutions if one[:-1] == other[:-1] and one[-1] < other[-1]
    }
    joined = {node for node in joined if node[-1][0] != node[-2][0]}
    return {node for node in joined if all(part in solutions for part in combinations(node, len(node) - 1))}
