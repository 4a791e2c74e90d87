"""What the node does to an engine's samples: speed and pitch that the engine can't, silence trimmed, one loudness."""
