/* kanon: is the first cell a value of age? */
SELECT
  COUNT(*) > 0 AS present
FROM (
  SELECT
    1
  FROM "warehouse"."main"."patients"
  WHERE
    "age" IS NOT DISTINCT FROM TRY_CAST($cell AS INT)
    AND NOT TRY_CAST($cell AS INT) IS NULL
  LIMIT 1
) AS hit
-- $cell = "age"
