/** Formats a duration, for example `0:07` or `1:02:03`. */
export function clockTime(seconds: number): string {
  const whole = Math.floor(seconds)
  const pad = (number: number): string => String(number).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60]
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`
}
