"""Privacy models: one file per family; each says when a class of rows violates it.

A model names the template of its predicate (in ``sql/privacy/``) and says along which changes it is
monotone, which decides what the search may prune on (DESIGN: the trap of section 6).
"""

from kanon_sql.privacy.base import PrivacyModel
from kanon_sql.privacy.k_anonymity import KAnonymity

__all__ = ["KAnonymity", "PrivacyModel"]
