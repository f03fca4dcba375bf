export const ending = {
  title: 'Deactivation',
  what: 'Deactivate organization',
  more: 'Signs everyone out and blocks access. Nothing is deleted; the operator can reactivate it.',
  action: 'Deactivate organization',
  sure: (name: string) =>
    `Deactivate ${name}? Everyone is signed out at once, and no one can sign in. To continue, enter the organization’s name.`,
  typed: 'Organization name',
}
