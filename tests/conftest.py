"""Settings of the property tests.

The profile `ci`, the default, draws the same examples every time; `long` draws many new ones:
`pytest --hypothesis-profile=long`.
"""

from hypothesis import HealthCheck, settings

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    max_examples=100,
    database=None,
    suppress_health_check=_SLOW,
)
# As "ci", for runs that are slow otherwise, such as under sanitizers.
settings.register_profile("quick", settings.get_profile("ci"), max_examples=10)
settings.register_profile(
    "long", deadline=None, max_examples=5000, print_blob=True, suppress_health_check=_SLOW
)
settings.load_profile("ci")
