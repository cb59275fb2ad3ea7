/* Step: the facts of the demo as one table, so that a draw from 0 to 999,999 falls on exactly one choice. */
/* Inputs:  $choices, JSON: [{"position", "question", "given", "choice", "weight"}, …]. */
/* Output columns: question, given, choice, low, high (the choice holds the draws low <= draw < high). */
CREATE TEMPORARY TABLE demo_choices AS
WITH listed AS (
  SELECT
    UNNEST(
      FROM_JSON(
        $choices,
        '[{"position": "INTEGER", "question": "VARCHAR", "given": "VARCHAR", "choice": "VARCHAR", "weight": "BIGINT"}]'
      ),
      recursive := TRUE
    )
), summed AS (
  SELECT
    question,
    given,
    choice,
    weight,
    CAST(SUM(weight) OVER (PARTITION BY question, given ORDER BY position) AS BIGINT) AS running,
    CAST(SUM(weight) OVER (PARTITION BY question, given) AS BIGINT) AS total
  FROM listed
)
SELECT
  question,
  given,
  choice,
  (
    running - weight
  ) * 1000000 // total AS low,
  running * 1000000 // total AS high
FROM summed
WHERE
  weight > 0
-- $choices = "[{\"position\": 0, \"question\": \"sex\", \"given\": \"\", \"choice\": \"F\", \"weight\": 1}]"
