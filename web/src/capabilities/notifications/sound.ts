/** Frequencies in hertz, by value of `notification_sound`. */
const TONE_FREQUENCIES: Readonly<Record<string, readonly number[]>> = { service: [660, 880], ding: [880] }

const TONE_SECONDS = 0.16
const TONE_VOLUME = 0.12

/** Browsers stay silent until the user has interacted with the page. */
export function playSound(name: string): void {
  const tones = TONE_FREQUENCIES[name]
  if (tones === undefined || !('AudioContext' in window)) return
  const audio = new AudioContext()
  const loudness = new GainNode(audio, { gain: 0 })
  loudness.connect(audio.destination)
  for (const [index, frequency] of tones.entries()) {
    const begins = audio.currentTime + index * TONE_SECONDS
    const tone = new OscillatorNode(audio, { frequency })
    tone.connect(loudness)
    loudness.gain.setValueAtTime(TONE_VOLUME, begins)
    loudness.gain.exponentialRampToValueAtTime(TONE_VOLUME / 100, begins + TONE_SECONDS)
    tone.start(begins)
    tone.stop(begins + TONE_SECONDS)
    if (index === tones.length - 1) tone.addEventListener('ended', () => void audio.close())
  }
}
