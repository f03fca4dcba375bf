import { createYielder } from '../../../kernel/pauses.ts'

/** Formats of attestations, and the root certificates of device makers. */
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
 * Loads the WebAuthn library and its largest packages one by one: loading all at once would block the event loop for
 * 130 ms. Removes the library's root certificates: for a certificate issued under one of them, the library would fetch
 * a revocation list from a URL in that certificate, which an attacker can choose.
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
