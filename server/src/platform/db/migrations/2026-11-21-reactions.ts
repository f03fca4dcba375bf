/** Emoji that users put on messages. One vote for an emoji, whatever name it was given: the code is part of the key. */
export const sql = `
create table reactions (
  organization_id bigint not null,
  message_id bigint not null,
  reaction_type text not null,
  emoji_code text not null,
  user_id bigint not null,
  emoji_name text not null,
  position bigint not null,
  primary key (organization_id, message_id, reaction_type, emoji_code, user_id),
  foreign key (organization_id, message_id) references messages (organization_id, id) on delete cascade
);
`
