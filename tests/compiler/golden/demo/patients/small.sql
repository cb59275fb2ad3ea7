/* Step: the register of admissions that the demo anonymizes: one row per visit, in order of admission. */
/* Inputs:  demo_people, demo_choices; $seed (text), $rows (how many), $bands as in people.sql.j2. */
/* Output columns: patient_id, name, ssn, birth_date, sex, zip, marital_status, race, admission_date, ward, */
/*          diagnosis. */
CREATE TABLE patients AS
WITH bands AS (
  SELECT
    UNNEST(
      FROM_JSON($bands, '[{"band": "VARCHAR", "first_age": "INTEGER", "last_age": "INTEGER"}]'),
      recursive := TRUE
    )
), numbered AS (
  SELECT
    people.*,
    visit,
    CONCAT(person, ' ', visit) AS which
  FROM demo_people AS people
  JOIN RANGE(1, 6) AS numbers(visit)
    ON visit <= visits
  ORDER BY
    person,
    visit
  LIMIT CAST($rows AS BIGINT)
), dated AS (
  SELECT
    numbered.*,
    CASE
      WHEN visit = 1
      THEN first_admission
      ELSE first_admission + CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' again ', which)) % (
        CAST('2026-01-01' AS DATE) - first_admission
      ) AS INT)
    END AS admission_date,
    CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' diagnosis ', which)) % 1000000 AS BIGINT) AS diagnosis,
    CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' ward ', which)) % 1000000 AS BIGINT) AS ward
  FROM numbered
), aged AS (
  SELECT
    dated.*,
    DATESUB('year', birth_date, admission_date) AS age
  FROM dated
), diagnosed AS (
  SELECT
    aged.*
    EXCLUDE (diagnosis),
    choice AS diagnosis
  FROM aged
  JOIN bands
    ON age BETWEEN first_age AND last_age
  JOIN demo_choices
    ON question = 'diagnosis'
    AND given = CONCAT(sex, ' ', band)
    AND aged.diagnosis >= low
    AND aged.diagnosis < high
)
SELECT
  patient_id,
  CONCAT(first_name, ' ', last_name) AS name,
  ssn,
  CASE WHEN NOT birth_date_missing THEN birth_date END AS birth_date,
  sex,
  CASE WHEN NOT zip_missing THEN zip END AS zip,
  CASE WHEN NOT marital_status_missing THEN marital_status END AS marital_status,
  CASE WHEN NOT race_missing THEN race END AS race,
  admission_date,
  choice AS ward,
  diagnosis
FROM diagnosed
JOIN demo_choices
  ON question = 'ward'
  AND given = CONCAT(CASE WHEN age < 18 THEN 'child ' ELSE 'adult ' END, diagnosis)
  AND ward >= low
  AND ward < high
ORDER BY
  admission_date,
  MD5(which),
  which
-- $seed = "2026"
-- $rows = 100
-- $bands = "[{\"band\": \"child\", \"first_age\": 0, \"last_age\": 17}]"
