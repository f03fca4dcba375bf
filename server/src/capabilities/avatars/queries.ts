/** Where the bytes of an uploaded picture are, by the name that its address has too. */
export function avatarKeys(organizationId: number, name: string): { small: string; medium: string } {
  const key = `avatars/${organizationId}/${name}`
  return { small: `${key}.png`, medium: `${key}-medium.png` }
}
