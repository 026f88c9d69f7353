import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from dispatchmark.app import create_app
from dispatchmark.config import Settings
from dispatchmark.exports import BATCH, COLUMNS
from tests.ingest import documents
from tests.ingest.documents import RUN_ID

CHUNKS = {
    "series": [
        {"label": "1", "samples": [documents.sample(1024, 5000.0, gpu_us=12.5)]},
        {"label": "1024", "samples": [documents.sample(1024, 900.0, wait="map", start_us=7.0)]},
    ]
}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(database=str(tmp_path / "store.db")))) as client:
        client.post("/api/runs", json=documents.run_start())
        yield client


def send(client: TestClient, *parts: dict[str, object]) -> None:
    for part in parts:
        assert client.post(f"/api/runs/{RUN_ID}/parts", json=part).status_code == 201


def read_csv(client: TestClient) -> list[dict[str, str]]:
    response = client.get(f"/api/runs/{RUN_ID}/samples.csv")
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert f"dispatchmark-{RUN_ID}.csv" in response.headers["content-disposition"]
    return list(csv.DictReader(io.StringIO(response.text)))


def test_every_span_is_a_row_with_everything_that_tells_it_apart(client: TestClient) -> None:
    send(client, documents.environment(), documents.case(1, "chunk/f32", repeat=True) | CHUNKS)
    first, second = read_csv(client)
    assert first == {
        "run_id": RUN_ID,
        "sequence": "1",
        "case_id": "chunk/f32",
        "repeat": "true",
        "label": "1",
        "n": "1024",
        "rep": "0",
        "wait": "done",
        "start_us": "0.0",
        "encoded_us": "2500.0",
        "done_us": "5000.0",
        "gpu_us": "12.5",
        "stamps_us": "",
    }
    assert (second["label"], second["wait"], second["start_us"], second["gpu_us"]) == ("1024", "map", "7.0", "")


def test_both_formats_hold_the_same_rows_over_many_batches(client: TestClient) -> None:
    samples = [documents.sample(1, float(number), number) for number in range(2 * BATCH + 1)]
    send(client, documents.case(1, "naive/f32", samples))
    document = client.get(f"/api/runs/{RUN_ID}/samples.json").json()
    assert list(document["columns"]) == list(COLUMNS)
    done = list(COLUMNS).index("done_us")
    assert [row[done] for row in document["rows"]] == [float(number) for number in range(2 * BATCH + 1)]
    assert [float(row["done_us"]) for row in read_csv(client)] == [row[done] for row in document["rows"]]


def test_stamps_of_a_trace_stay_with_their_span(client: TestClient) -> None:
    send(client, documents.case(1, "submit-trace/f32", [documents.sample(3, 9.0, stamps_us=[1.5, 2.5, 4.0])]))
    (row,) = read_csv(client)
    assert row["stamps_us"] == "1.5 2.5 4.0"
    document = client.get(f"/api/runs/{RUN_ID}/samples.json").json()
    assert document["rows"][0][-1] == [1.5, 2.5, 4.0]


def test_text_with_commas_and_line_ends_survives(client: TestClient) -> None:
    series = [{"label": 'a,"b"\nc', "samples": [documents.sample(1, 1.0)]}]
    send(client, documents.case(1, "phases/f32") | {"series": series})
    assert read_csv(client)[0]["label"] == 'a,"b"\nc'


def test_a_run_without_samples_has_columns_and_no_rows(client: TestClient) -> None:
    assert client.get(f"/api/runs/{RUN_ID}/samples.csv").text == ",".join(COLUMNS) + "\n"
    assert client.get(f"/api/runs/{RUN_ID}/samples.json").json()["rows"] == []


def test_a_run_that_is_not_there_is_not_found(client: TestClient) -> None:
    for name in ("samples.csv", "samples.json"):
        response = client.get(f"/api/runs/{2:032x}/{name}")
        assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found")
