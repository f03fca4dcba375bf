/** In pixels. */
export const AVATAR_SIDE = 100
export const MEDIUM_AVATAR_SIDE = 500

/** The key under which the bytes of an uploaded picture are stored, by the name that its address has too. */
export function avatarKey(organizationId: number, name: string, size: '' | '-medium' = ''): string {
  return `avatars/${organizationId}/${name}${size}.png`
}

/** The keys of both sizes of a picture; no keys for null. */
export function avatarKeys(organizationId: number, name: string | null): string[] {
  return name === null ? [] : [avatarKey(organizationId, name), avatarKey(organizationId, name, '-medium')]
}
