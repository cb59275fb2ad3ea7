/* kanon: ground values in the column's type */
WITH cells AS (
  SELECT
    UNNEST(FROM_JSON($ground, '["VARCHAR"]')) AS cell,
    UNNEST(RANGE(0, CAST(JSON_ARRAY_LENGTH($ground) AS BIGINT))) AS position
)
SELECT
  position,
  CAST(TRY_CAST(cell AS INT) AS TEXT) AS cast_text
FROM cells
WHERE
  NOT cell IS NULL AND CAST(TRY_CAST(cell AS INT) AS TEXT) IS DISTINCT FROM cell
ORDER BY
  position
-- $ground = "[\"34\", \"007\"]"
