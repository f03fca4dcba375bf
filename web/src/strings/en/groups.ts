export const groups = {
  nobody: 'No one',
  owners: 'Owners',
  administrators: 'Admins',
  moderators: 'Moderators',
  fullmembers: 'Full members',
  members: 'Members',
  everyone: 'Everyone, including guests',
  internet: 'Anyone on the web',
}
