/* kanon: distinct values */
SELECT
  COUNT(DISTINCT "age") AS distinct_0,
  COUNT(DISTINCT "zip") AS distinct_1
FROM "warehouse"."main"."patients"
