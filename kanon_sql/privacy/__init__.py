"""Privacy models: one file per family; each says when a class of rows violates it.

A model names the template of its predicate (in ``sql/privacy/``), its word in the spec, and along which
changes it is monotone, which decides what the search may prune on (DESIGN: the trap of section 6;
:mod:`~kanon_sql.privacy.composition`). Another package adds one by the entry point group
``kanon_sql.privacy_models``.
"""

from kanon_sql.privacy.base import ModelWord, Parameter, PopulationModel, PrivacyModel, SensitiveModel
from kanon_sql.privacy.composition import Condition, conditions_of_classes, conditions_of_values
from kanon_sql.privacy.k_anonymity import KAnonymity, KMap
from kanon_sql.privacy.reached import Figure, figures
from kanon_sql.privacy.registry import model_words

__all__ = [
    "Condition",
    "Figure",
    "KAnonymity",
    "KMap",
    "ModelWord",
    "Parameter",
    "PopulationModel",
    "PrivacyModel",
    "SensitiveModel",
    "conditions_of_classes",
    "conditions_of_values",
    "figures",
    "model_words",
]
