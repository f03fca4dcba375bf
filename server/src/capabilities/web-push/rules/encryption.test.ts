import { describe, expect, it } from 'vitest'
import { encryptPush, isPublicKey, MAX_PAYLOAD_BYTES } from './cryptography.ts'

const decodeBase64 = (text: string): Buffer => Buffer.from(text, 'base64url')

/** Example from RFC 8291, section 5. */
const DEVICE = {
  p256dh: decodeBase64('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
  auth: decodeBase64('BTBZMqHH6r4Tts7J_aSIgg'),
}

describe('push encryption', () => {
  it('encrypts the example in RFC 8291 exactly as published', () => {
    const chance = {
      privateKey: decodeBase64('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
      salt: decodeBase64('DGv6ra1nlYgDCS1FRnbzlw'),
    }
    const text = Buffer.from('When I grow up, I want to be a watermelon')
    expect(encryptPush(text, DEVICE, chance).toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
        'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  it('encrypts each push differently and limits its length', () => {
    const text = Buffer.alloc(MAX_PAYLOAD_BYTES, 'a')
    const [first, second] = [encryptPush(text, DEVICE), encryptPush(text, DEVICE)]
    expect(first.length).toBe(4_096)
    expect(first.equals(second)).toBe(false)
    expect(() => encryptPush(Buffer.alloc(MAX_PAYLOAD_BYTES + 1), DEVICE)).toThrow('too long')
  })
})

it('accepts only uncompressed points on the P-256 curve as public keys', () => {
  expect(isPublicKey(DEVICE.p256dh)).toBe(true)
  const beside = Buffer.from(DEVICE.p256dh)
  beside.writeUInt8(beside.readUInt8(64) ^ 1, 64)
  for (const wrong of [beside, DEVICE.p256dh.subarray(1), Buffer.alloc(65), Buffer.alloc(65, 4), Buffer.alloc(0)]) {
    expect(isPublicKey(wrong)).toBe(false)
  }
})
