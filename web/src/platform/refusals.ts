import { loadRefusals, translated } from '../kernel/refusal-texts.ts'
import { translateRefusals } from './requests.ts'

/** From now on, what the server refuses is said in the language of the one who reads. */
export async function speakOfRefusals(): Promise<void> {
  await loadRefusals()
  translateRefusals(translated)
}
