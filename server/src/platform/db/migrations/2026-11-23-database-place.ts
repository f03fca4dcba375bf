/** The database's identity at the last server start, to recognize a copy. */
export const sql = `
create table database_place (
  is_only boolean primary key default true check (is_only),
  place text not null
);
`
