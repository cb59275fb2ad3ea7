/* kanon: totals */
SELECT
  COUNT(*) AS row_count,
  COUNT(DISTINCT "patient_id") AS persons,
  COUNT(*) - COUNT("patient_id") AS without_person
FROM "warehouse"."main"."patients"
