-- Reading a lake of `adsctl store publish` from a warehouse. Written by the manuals of each, and not tried;
-- docs/store.md has those for DuckDB and Polars, which are tested.
--
-- A replaced file stays for a day, so each reads the files that a list names: lake/_files/TABLE.txt.

-- BigQuery, from a copy of the lake in its storage. The lists of a lake in a bucket have paths of s3://; replace
-- their beginning by gs://.
CREATE EXTERNAL TABLE ads.sp_campaigns
WITH PARTITION COLUMNS (country_code STRING, profile_id STRING, month STRING)
OPTIONS (
  format = 'PARQUET',
  uris = ['gs://BUCKET/lake/_files/sp_campaigns.txt'],
  file_set_spec_type = 'NEW_LINE_DELIMITED_MANIFEST',
  hive_partition_uri_prefix = 'gs://BUCKET/lake/sp_campaigns'
);

-- Snowflake, from a stage on the lake: name the files of the list.
COPY INTO sp_campaigns
FROM @lake/sp_campaigns
FILES = ('country_code=CA/.../5f0c1e7b2a9d4c36.parquet')
FILE_FORMAT = (TYPE = PARQUET)
MATCH_BY_COLUMN_NAME = CASE_INSENSITIVE;

-- Athena, where the list serves as symbolic links: copy lake/_files/sp_campaigns.txt to a folder of its own.
CREATE EXTERNAL TABLE sp_campaigns (`date` date, campaign_id string, clicks bigint, cost double)
ROW FORMAT SERDE 'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe'
STORED AS
  INPUTFORMAT 'org.apache.hadoop.hive.ql.io.SymlinkTextInputFormat'
  OUTPUTFORMAT 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat'
LOCATION 's3://BUCKET/lists/sp_campaigns/';

-- Spark, in Python:
--   files = spark.read.text("lake/_files/sp_campaigns.txt").toPandas().value.tolist()
--   rows = spark.read.option("basePath", "lake/sp_campaigns").parquet(*files)
