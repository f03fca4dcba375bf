/** The key under which the bytes of an uploaded picture are stored, by the name that its address has too. */
export function pictureKey(organizationId: number, name: string): string {
  return `organizations/${organizationId}/${name}.png`
}
