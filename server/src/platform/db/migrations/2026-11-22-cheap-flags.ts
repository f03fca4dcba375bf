/**
 * Drops checks that protect nothing, as `cheap-sends` does for messages and events: a statement that writes these
 * rows has locked their organization's row, so looking for that row again for each of them is in vain (measured: 12
 * us for each person that a message mentions).
 */
export const sql = `
alter table message_flags drop constraint message_flags_organization_id_fkey;
`
