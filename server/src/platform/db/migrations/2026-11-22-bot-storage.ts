/** The values that the programs of bots store. */
export const sql = `
create table bot_storage (
  organization_id bigint not null,
  user_id bigint not null,
  key text not null,
  value text not null,
  -- Kept, so that adding up what an account stores does not read the values.
  characters int not null generated always as (char_length(key) + char_length(value)) stored,
  primary key (organization_id, user_id, key),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`
