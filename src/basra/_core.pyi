from array import array
from collections.abc import Iterator
from typing import Any, Self, TypeAlias, TypeVar

MoveTuple: TypeAlias = tuple[int, int, int, int]
_ScoredTuple: TypeAlias = tuple[MoveTuple, int, tuple[int, ...], int, bool]

UNIT: int
SURE: int
MAX_CAPTURES: int
NO_SEAT: int
UNKNOWN_SEAT: int
VERSION: str

class CoreError(Exception):
    status: int
    fault: int
    detail: int
    def __init__(self, status: int, fault: int = 0, detail: int = -1) -> None: ...

def status_texts() -> list[str]: ...
def fault_texts() -> list[tuple[str, str, str]]: ...
def preset_names() -> list[str]: ...

class RulesData:
    def __init__(self, fields: dict[str, Any]) -> None: ...
    @staticmethod
    def preset(index: int) -> RulesData: ...
    def fields(self) -> dict[str, Any]: ...
    @property
    def pack(self) -> int: ...
    def check_table(self, players: int, partners: bool) -> None: ...
    def deal_sizes(self, players: int) -> list[int]: ...
    def captures(self, floor: int, card: int) -> tuple[list[MoveTuple], bool]: ...
    def majority(self, cards: list[int], carry: int) -> tuple[list[int], int]: ...
    def winner(self, scores: list[int]) -> int: ...

class PositionData:
    rules: RulesData
    @staticmethod
    def deal(
        rules: RulesData, players: int, partners: bool, leader: int, seed: int
    ) -> PositionData: ...
    @staticmethod
    def deal_pack(
        rules: RulesData, players: int, partners: bool, leader: int, pack: list[int], seed: int
    ) -> PositionData: ...
    @staticmethod
    def setup(rules: RulesData, fields: dict[str, Any], whole_pack: bool) -> PositionData: ...
    @staticmethod
    def restore(rules: RulesData, image: bytes) -> PositionData: ...
    def image(self) -> bytes: ...
    def text(self) -> str: ...
    @staticmethod
    def read(rules: RulesData, text: str) -> PositionData | None: ...
    def copy(self) -> PositionData: ...
    def fields(self) -> dict[str, Any]: ...
    @property
    def over(self) -> bool: ...
    @property
    def turn(self) -> int: ...
    def moves(self) -> list[MoveTuple]: ...
    def play(self, card: int, taken: int) -> None: ...
    def undo(self) -> None: ...
    def next_round(self) -> None: ...
    def perft(self, depth: int) -> int: ...

class Worlds:
    count: int
    def __new__(cls, capacity: int) -> Self: ...
    @staticmethod
    def of(position: PositionData) -> Worlds: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> tuple[tuple[int, ...], int, int]: ...
    def __iter__(self) -> Iterator[tuple[tuple[int, ...], int, int]]: ...
    def weights(self, count: int) -> list[int]: ...
    def shuffle(self, seed: int) -> None: ...
    def slice(self, first: int, count: int) -> Worlds: ...

def column(values: array[int], at: int, step: int, seats: int) -> array[int]: ...
def differences(a: array[int], b: array[int]) -> array[int]: ...
def sums(values: array[int]) -> tuple[int, int]: ...

class ViewData:
    rules: RulesData
    def __init__(self, rules: RulesData, fields: dict[str, Any]) -> None: ...
    @staticmethod
    def of(position: PositionData) -> ViewData: ...
    def fields(self) -> dict[str, Any]: ...
    def moves(self) -> tuple[list[tuple[MoveTuple, int]], int]: ...
    def all_worlds(self, capacity: int) -> Worlds | None: ...
    def believed_worlds(
        self, model: ModelData | None, trust: int, seed: int, most: int, merge: bool = False
    ) -> tuple[Worlds, bool]: ...
    def sample_worlds(self, seed: int, first: int, count: int) -> Worlds: ...
    def reply(self, card: int, taken: int) -> tuple[int, int, int, int, int]: ...

_S = TypeVar("_S", bound=SolutionData)

class SolutionData:
    nodes: int
    seconds: float
    _stop: int
    _position: PositionData
    _rules: Any
    _source: Any
    _limits: Any
    _moves: tuple[Any, ...] | None
    _line: tuple[Any, ...] | None
    @property
    def value(self) -> int | float | None: ...
    @property
    def exact(self) -> bool: ...
    @property
    def points(self) -> tuple[int, ...] | None: ...
    def _keep(self, moves: tuple[Any, ...], line: tuple[Any, ...] | None) -> None: ...
    def _state(self) -> tuple[Any, ...]: ...
    @staticmethod
    def restore(kind: type[_S], state: tuple[Any, ...], source: Any) -> _S: ...

class EngineData:
    def __new__(cls, table_bytes: int = 0) -> Self: ...
    def stop(self) -> None: ...
    @property
    def memory(self) -> int: ...
    def random_rounds(
        self,
        rules: RulesData,
        players: int,
        partners: bool,
        seed: int,
        first: int,
        count: int,
        interrupts: list[BaseException],
    ) -> tuple[array[int], int, int]: ...
    def value(
        self,
        kind: type[_S],
        position: PositionData,
        nodes: int,
        time_ns: int,
        about: tuple[Any, Any, Any],
        interrupts: list[BaseException],
    ) -> _S: ...
    def review(
        self,
        position: PositionData,
        nodes: int,
        time_ns: int,
        interrupts: list[BaseException],
    ) -> tuple[list[tuple[list[_ScoredTuple], int, int]], int, int]: ...
    def solve(
        self,
        position: PositionData,
        nodes: int,
        time_ns: int,
        line_wanted: bool,
        interrupts: list[BaseException],
    ) -> tuple[
        list[_ScoredTuple], list[MoveTuple], int, int, tuple[int, tuple[int, ...], bool]
    ]: ...
    def world_values(
        self,
        view: ViewData,
        model: ModelData | None,
        worlds: Worlds,
        groups: int,
        nodes: int,
        time_ns: int,
        interrupts: list[BaseException],
        results: dict[int, tuple[array[int], list[int], int]],
        key: int,
    ) -> None: ...

class Batch:
    count: int
    done: int
    status: int
    def __new__(cls, capacity: int) -> Self: ...
    def __len__(self) -> int: ...
    def add(self, position: PositionData) -> int: ...
    def clear(self) -> None: ...
    def solve(
        self, engine: EngineData, nodes: int, time_ns: int, interrupts: list[BaseException]
    ) -> None: ...
    def columns(self) -> list[array[int]]: ...

class ModelData:
    rules: RulesData
    def __new__(cls, rules: RulesData, data: bytes) -> Self: ...

class PlayerData:
    model: ModelData | None
    def __new__(
        cls,
        model: ModelData | None,
        method: int,
        effort: int,
        trust: int,
        explore: int,
        noise: int,
        memory: int,
        objective: int = 0,
    ) -> Self: ...

def rules_number(rules: RulesData) -> int: ...
def choose(
    engine: EngineData,
    player: PlayerData,
    view: ViewData,
    seed: int,
    nodes: int,
    time_ns: int,
    interrupts: list[BaseException],
) -> tuple[MoveTuple, int, int, int]: ...
def choose_at(
    engine: EngineData,
    player: PlayerData,
    position: PositionData,
    seed: int,
    nodes: int,
    time_ns: int,
    interrupts: list[BaseException],
) -> tuple[MoveTuple, int, int, int]: ...
def player_marks_of(
    engine: EngineData,
    player: PlayerData,
    view: ViewData,
    seed: int,
    nodes: int,
    groups: int,
    time_ns: int = 0,
    interrupts: list[BaseException] | None = None,
) -> tuple[list[int], int, int, tuple[array[int], list[int], bool] | None]: ...
def play_on(
    engine: EngineData,
    position: PositionData,
    players: list[PlayerData],
    match: bool,
    seed: int,
    interrupts: list[BaseException],
    limits: list[tuple[int, int]] | None = None,
) -> tuple[int, tuple[int, ...]]: ...
def deal_values(
    engine: EngineData,
    model: ModelData | None,
    position: PositionData,
    seed: int,
    count: int,
    interrupts: list[BaseException],
) -> array[int]: ...
def boundary_features(rules: RulesData) -> int: ...
def boundary_active(rules: RulesData, floor: int, unseen: int) -> list[int]: ...
def majority_shares(cards: list[int], left: int, bonus: int) -> list[int]: ...

class PolicyList:
    def add(self, view: ViewData, chosen: int) -> None: ...
    def record(
        self,
        engine: EngineData,
        player: PlayerData,
        wander: int,
        seed: int,
        position: PositionData,
    ) -> None: ...
    def columns(self) -> tuple[array[int], array[int], array[int], array[int]]: ...

def policy_features(rules: RulesData) -> int: ...
def policy_scores(view: ViewData, model: ModelData | None, groups: int) -> list[int]: ...
def play_bits(
    view: ViewData, model: ModelData | None, index: int, hand: int
) -> tuple[int, int, int]: ...
def card_chances(
    view: ViewData, model: ModelData | None, trust: int, seed: int, seat: int
) -> tuple[list[int], list[int]]: ...
def match_equity(
    model: ModelData, players: int, partners: bool, scores: list[int], carry: int, leader: int
) -> int: ...
def match_chances(model: ModelData, view: ViewData, values: array[int]) -> array[int]: ...
def match_values(
    engine: EngineData,
    model: ModelData,
    view: ViewData,
    worlds: Worlds,
    groups: int,
    values: array[int],
    nodes: int,
    time_ns: int,
    interrupts: list[BaseException],
) -> tuple[array[int], int]: ...
def play_one(
    engine: EngineData,
    position: PositionData,
    player: PlayerData,
    seed: int,
    nodes: int,
    time_ns: int,
    interrupts: list[BaseException],
) -> tuple[int, int]: ...
def round_luck(
    engine: EngineData,
    position: PositionData,
    redeals: int,
    seed: int,
    interrupts: list[BaseException],
) -> list[int]: ...
