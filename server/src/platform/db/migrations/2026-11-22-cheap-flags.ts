/**
 * As for messages and events (`cheap-sends`): whoever writes these rows has locked their organization's row, so looking for
 * it again for each of them protects nothing (measured: 12 us for each person whom a message mentions).
 */
export const sql = `
alter table message_flags drop constraint message_flags_organization_id_fkey;
`
