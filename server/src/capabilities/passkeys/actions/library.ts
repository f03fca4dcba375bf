import { createYielder } from '../../../kernel/pauses.ts'

/** Formats of attestations, and the lists of device makers. */
export const ATTESTATIONS = [
  'fido-u2f',
  'packed',
  'android-safetynet',
  'android-key',
  'tpm',
  'apple',
  'none',
  'mds',
] as const

/**
 * Loads the WebAuthn library, after the largest of its packages one by one: all at once would hold the event loop for
 * 130 ms.
 *
 * Removes the root certificates that it knows: for a certificate that leads to one of them, it would request the
 * revocation list at an address that the certificate names, and that anyone may have written.
 */
export async function webAuthn() {
  const pause = createYielder()
  await import('reflect-metadata')
  await import('@peculiar/asn1-schema')
  await pause()
  await import('@peculiar/asn1-x509')
  await pause()
  await import('@peculiar/x509')
  await pause()
  const library = await import('@simplewebauthn/server')
  for (const identifier of ATTESTATIONS) library.SettingsService.setRootCertificates({ identifier, certificates: [] })
  return library
}
