/* Question: where does each marital status generalize to? */
/* Inputs:  $states, JSON: [{"marital_status", "partnership"}, …]. */
/* Output columns (the levels): marital_status, partnership, any. */
WITH states AS (
  SELECT
    UNNEST(
      FROM_JSON($states, '[{"marital_status": "VARCHAR", "partnership": "VARCHAR"}]'),
      recursive := TRUE
    )
)
SELECT
  marital_status,
  partnership,
  '*' AS "any"
FROM states
ORDER BY
  partnership DESC,
  marital_status
-- $states = "[{\"marital_status\": \"married\", \"partnership\": \"partnered\"}]"
