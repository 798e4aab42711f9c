"""The public names, one a line: type checkers read this file, and `__init__.py` imports each name when first used."""

__all__: list[str]
__version__: str

from . import attacks as attacks
from . import datasets as datasets
from . import guards as guards
from . import measures as measures
from . import methods as methods
from .attacks import attack as attack
from .data import hierarchy as hierarchy
from .data.schema import Schema as Schema
from .data.table import Table as Table
from .errors import BadInput as BadInput
from .errors import Cancelled as Cancelled
from .errors import Danger as Danger
from .errors import Infeasible as Infeasible
from .evaluation.utility import utility as utility
from .frontier.frontier import Frontier as Frontier
from .frontier.reference_direction import ReferenceDirection as ReferenceDirection
from .guards import AlphaProtection as AlphaProtection
from .guards import DistinctDiversity as DistinctDiversity
from .guards import EntropyDiversity as EntropyDiversity
from .guards import KAnonymity as KAnonymity
from .guards import KnownDecision as KnownDecision
from .guards import NoRedlining as NoRedlining
from .guards import RecursiveDiversity as RecursiveDiversity
from .guards import SituationTesting as SituationTesting
from .guards import TCloseness as TCloseness
from .guards import background_knowledge as background_knowledge
from .guards.projections import Projections as Projections
from .methods.best_first import BestFirst as BestFirst
from .methods.datafly import Datafly as Datafly
from .methods.dmpd import DMPD as DMPD
from .methods.dmpd.classifier import DMPDClassifier as DMPDClassifier
from .methods.incognito import Incognito as Incognito
from .methods.microaggregation import MDAV as MDAV
from .methods.microaggregation import FairMDAV as FairMDAV
from .methods.mondrian import Mondrian as Mondrian
from .methods.noisy_table import NoisyTable as NoisyTable
from .methods.preferences import Preferences as Preferences
from .methods.rollup import RollUp as RollUp
from .methods.tdr import TDR as TDR
from .methods.tds import TDS as TDS
from .methods.top_down_greedy import TopDownGreedy as TopDownGreedy
from .progress import Progress as Progress
from .release.release import Release as Release
from .release.verify import verify as verify
from .run.check import check as check
from .run.explore import explore as explore
from .run.explore import search as search
from .run.plan import Plan as Plan
from .run.profile import profile as profile
from .run.report import report as report
from .run.report import report_dict as report_dict
