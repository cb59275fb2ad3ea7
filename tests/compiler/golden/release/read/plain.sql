SELECT
  *
FROM "warehouse"."main"."patients_k5"
