/* Step: one row per person: who they are and when they first came. */
/* Every draw is the md5 of seed, purpose and person: the same on every version of DuckDB, on any machine. */
/* Inputs:  demo_choices; $seed (text), $people (how many), $bands, JSON: [{"band", "first_age", "last_age"}, …]. */
/* Output columns: person, patient_id, first_name, last_name, ssn, sex, birth_date, zip, marital_status, */
/*          race, visits, first_admission, and birth_date_missing, zip_missing, marital_status_missing, */
/*          race_missing (true where the register shall hold NULL). */
CREATE TEMPORARY TABLE demo_people AS
WITH bands AS (
  SELECT
    UNNEST(
      FROM_JSON($bands, '[{"band": "VARCHAR", "first_age": "INTEGER", "last_age": "INTEGER"}]'),
      recursive := TRUE
    )
), draws AS (
  SELECT
    person,
    CAST('2023-01-01' AS DATE) + CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' admission ', person)) % 1096 AS INT) AS first_admission,
    CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' age ', person)) % 1000000 AS BIGINT) AS age,
    CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' birthday ', person)) % 1000000 AS BIGINT) AS birthday,
    CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' sex ', person)) % 1000000 AS BIGINT) AS sex,
    CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' marital status ', person)) % 1000000 AS BIGINT) AS marital_status,
    CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' area ', person)) % 1000000 AS BIGINT) AS area,
    CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' zip ', person)) % 1000000 AS BIGINT) AS zip,
    CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' race ', person)) % 1000000 AS BIGINT) AS race,
    CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' first name ', person)) % 1000000 AS BIGINT) AS first_name,
    CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' last name ', person)) % 1000000 AS BIGINT) AS last_name,
    CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' visits ', person)) % 1000000 AS BIGINT) AS visits,
    CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' no birth date ', person)) % 1000000 AS BIGINT) AS no_birth_date,
    CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' no zip ', person)) % 1000000 AS BIGINT) AS no_zip,
    CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' no marital status ', person)) % 1000000 AS BIGINT) AS no_marital_status,
    CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' no race ', person)) % 1000000 AS BIGINT) AS no_race,
    (
      person * 15485863 + CAST(MD5_NUMBER_LOWER(CONCAT($seed, ' ssn')) % 48995100 AS BIGINT)
    ) /* 100 areas x 49 groups x 9999 serials; the factor shares no divisor with them, so none repeats. */ /* Areas 900 to 999 were never issued, and with groups 01 to 49 they are no taxpayer's number either. */ % 48995100 AS ssn
  FROM RANGE(0, CAST($people AS BIGINT)) AS numbers(person)
), aged AS (
  SELECT
    draws.*,
    CAST(first_admission - TO_YEARS(CAST(SPLIT_PART(choice, '-', 1) AS INT)) AS DATE) AS latest,
    CAST(first_admission - TO_YEARS(CAST(SPLIT_PART(choice, '-', 2) AS INT) + 1) AS DATE) + 1 AS earliest
  FROM draws
  JOIN demo_choices
    ON question = 'age group' AND age >= low AND age < high
), born AS (
  SELECT
    aged.*,
    latest - CAST(birthday % (
      latest - earliest + 1
    ) AS INT) AS birth_date
  FROM aged
), banded AS (
  SELECT
    born.*,
    bands.band
  FROM born
  JOIN bands
    ON DATESUB('year', birth_date, first_admission) BETWEEN first_age AND last_age
), placed AS (
  SELECT
    banded.*
    EXCLUDE (sex, area),
    sexes.choice AS sex,
    areas.choice AS area,
    CASE
      WHEN birth_date < CAST('1955-01-01' AS DATE)
      THEN 0
      WHEN birth_date < CAST('1990-01-01' AS DATE)
      THEN 1
      ELSE 2
    END AS era
  FROM banded
  JOIN demo_choices AS sexes
    ON sexes.question = 'sex'
    AND sexes.given = band
    AND sex >= sexes.low
    AND sex < sexes.high
  JOIN demo_choices AS areas
    ON areas.question = 'area' AND area >= areas.low AND area < areas.high
)
SELECT
  person,
  CAST(100001 + person AS INT) AS patient_id,
  firsts.choice AS first_name,
  lasts.choice AS last_name,
  CONCAT(
    900 + ssn % 100,
    '-',
    LPAD(CAST(1 + ssn // 100 % 49 AS TEXT), 2, '0'),
    '-',
    LPAD(CAST(1 + ssn // 4900 AS TEXT), 4, '0')
  ) AS ssn,
  sex,
  birth_date,
  zips.choice AS zip,
  states.choice AS marital_status,
  races.choice AS race,
  CAST(counts.choice AS INT) AS visits,
  first_admission,
  no_birth_date < lost_birth_date.high AS birth_date_missing,
  no_zip < lost_zip.high AS zip_missing,
  no_marital_status < lost_state.high AS marital_status_missing,
  no_race < lost_race.high AS race_missing
FROM placed
JOIN demo_choices AS zips
  ON zips.question = 'zip' AND zips.given = area AND zip >= zips.low AND zip < zips.high
JOIN demo_choices AS races
  ON races.question = 'race'
  AND races.given = area
  AND race >= races.low
  AND race < races.high
JOIN demo_choices AS states
  ON states.question = 'marital status'
  AND states.given = CONCAT(sex, ' ', band)
  AND marital_status >= states.low
  AND marital_status < states.high
JOIN demo_choices AS firsts
  ON firsts.question = 'first name'
  AND firsts.given = CONCAT(sex, ' ', era)
  AND first_name >= firsts.low
  AND first_name < firsts.high
JOIN demo_choices AS lasts
  ON lasts.question = 'last name' AND last_name >= lasts.low AND last_name < lasts.high
JOIN demo_choices AS counts
  ON counts.question = 'visits' AND visits >= counts.low AND visits < counts.high
JOIN demo_choices AS lost_birth_date
  ON lost_birth_date.question = 'missing'
  AND lost_birth_date.given = 'birth_date'
  AND lost_birth_date.choice = 'yes'
JOIN demo_choices AS lost_zip
  ON lost_zip.question = 'missing'
  AND lost_zip.given = 'zip'
  AND lost_zip.choice = 'yes'
JOIN demo_choices AS lost_state
  ON lost_state.question = 'missing'
  AND lost_state.given = 'marital_status'
  AND lost_state.choice = 'yes'
JOIN demo_choices AS lost_race
  ON lost_race.question = 'missing'
  AND lost_race.given = 'race'
  AND lost_race.choice = 'yes'
-- $seed = "2026"
-- $people = 100
-- $bands = "[{\"band\": \"child\", \"first_age\": 0, \"last_age\": 17}]"
