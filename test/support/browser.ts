import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const PLACES = ["/usr/bin", "/usr/local/bin", "/snap/bin", "/opt/google/chrome"];

/**
 * The browser of the dashboard's tests: BROWSER_PATH, else on the PATH, else in its usual place.
 * null: not installed.
 */
export const BROWSER = found();
/** If it is required, its tests also run without one, and fail. */
export const BROWSER_REQUIRED = process.env["REQUIRE_BROWSER"] === "1";

function found(): string | null {
  const named = process.env["BROWSER_PATH"];
  if (named !== undefined && named !== "") return isProgram(named) ? named : null;
  const folders = [...(process.env["PATH"] ?? "").split(delimiter).filter((each) => each !== ""), ...PLACES];
  const files = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return files.find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
