/* kanon: does the hierarchy list NULL? */
SELECT
  COUNT(*) > 0 AS listed
FROM "warehouse"."main"."age_levels" AS h
WHERE
  h."age" IS NULL
