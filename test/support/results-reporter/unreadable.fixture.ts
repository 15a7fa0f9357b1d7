throw new Error("nobody can read this file");
