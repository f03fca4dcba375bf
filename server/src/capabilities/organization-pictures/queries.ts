/** Where the bytes of an uploaded picture are, by the name that its address has too. */
export function pictureKey(organizationId: number, name: string): string {
  return `organizations/${organizationId}/${name}.png`
}
