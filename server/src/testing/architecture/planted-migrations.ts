/* Accepted and rejected migrations, for a database with the table `rooms`. */

export const HARMLESS_SQL: readonly string[] = [
  'create table beds (id int not null, room_id int references rooms (id) on delete cascade); alter table beds drop column id; drop table beds',
  "alter table rooms add column width int, add note text not null default 'not, null;', alter column size drop not null",
  'alter table rooms add column doubled int not null generated always as (size * 2) stored; create index by_size on rooms (size)',
  'alter table rooms alter size set default 1, alter size set not null',
  'alter table rooms drop constraint rooms_size_check',
  'create temporary table surplus as select 1; update rooms set size = 2; drop table surplus -- ; drop table rooms',
  'create index a on rooms (id); drop index a; alter index rooms_key rename to rooms_id',
  `create or replace function f() returns trigger language plpgsql as $$ begin drop table rooms; end $$;
   drop trigger t on rooms; create trigger t after insert on rooms execute function f()`,
]

export const BREAKING_SQL: readonly (readonly [caught: string, sql: string])[] = [
  ['drops the table rooms', 'create table a (b int); DROP TABLE IF EXISTS public."rooms" CASCADE'],
  ['drops the table rooms', 'drop table rooms; create table rooms (id int)'],
  ['drops the index rooms_key', 'drop index rooms_key'],
  ['drops the function f', 'drop function f(bigint, text)'],
  ['drops the trigger t', 'drop trigger t on rooms'],
  ['drops rooms.size', 'alter table if exists only rooms add column a int, drop column if exists size cascade'],
  ['drops rooms.size', 'alter table rooms drop size'],
  ['drops a key of rooms', 'alter table rooms drop constraint rooms_pkey'],
  ['renames rooms or part of it', 'alter table rooms rename to places'],
  ['renames rooms or part of it', 'alter table rooms rename size to width'],
  ['makes rooms.size stricter', 'alter table rooms alter column size set not null'],
  ['makes rooms stricter', 'alter table rooms add constraint small check (size < 9)'],
  ['makes rooms stricter by a', 'create unique index a on rooms (size)'],
  ['changes the type of rooms.size', 'alter table rooms alter size set data type bigint'],
  ['changes the type of rooms.size', 'alter table rooms alter column size type bigint using size::bigint'],
  ['removes the default of rooms.size', 'alter table rooms alter size drop default'],
  ['adds rooms.a, which the previous release does not set', 'alter table rooms add column a numeric(3, 1) not null'],
  ['keeps rows of rooms from being deleted, because of beds', 'create table beds (room_id int references rooms (id))'],
  ['runs code that this test cannot check', 'do $$ begin drop table rooms; end $$'],
  ['alters something other than a table: alter function f() volatile', 'alter function f() volatile'],
]
