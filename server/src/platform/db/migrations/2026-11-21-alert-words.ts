/** The words that users want to be alerted to when another user writes them. */
export const sql = `
create table alert_words (
  organization_id bigint not null,
  user_id bigint not null,
  word_key text not null,
  word text not null,
  id bigint not null,
  primary key (organization_id, user_id, word_key),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`
